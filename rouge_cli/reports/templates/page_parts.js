/** Elements. Text is only ever set as text: nothing on the page is parsed as HTML. */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties] attributes where an element has no such properties
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const make = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};

/**
 * Add an element to a drawing.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Element} parent
 * @param {Tag} tag
 * @param {Record<string, string | number>} attributes
 * @param {string} [text]
 */
export const appendSvg = (parent, tag, attributes, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  parent.append(element);
  return element;
};

/**
 * Return an element of the page, which must exist.
 * @param {string} id
 * @returns {any}
 */
export const $ = (id) => document.getElementById(id);

/**
 * Make a row of buttons, one of them selected.
 * @template Option
 * @param {string} name
 * @param {string} legend
 * @param {[Option, string][]} options
 * @param {Option} chosen
 * @param {(option: Option) => void} choose
 */
export const chips = (name, legend, options, chosen, choose) => {
  const box = make("fieldset", {}, make("legend", {}, legend));
  for (const [option, label] of options) {
    const input = make("input", { type: "radio", name, value: String(option), checked: option === chosen });
    input.addEventListener("change", () => choose(option));
    box.append(make("label", {}, input, label));
  }
  return box;
};

/**
 * Fill a list.
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options value and label of each
 * @param {string} chosen
 */
export const fill = (select, options, chosen) => {
  select.replaceChildren(...options.map(([value, label]) => make("option", { value }, label)));
  select.value = chosen;
};

/**
 * Put a bar before the digits of a cell.
 * @param {HTMLElement} cell
 * @param {number} share
 */
export const putBar = (cell, share) => {
  cell.classList.add("bar");
  cell.style.setProperty("--share", String(Math.min(1, Math.max(0, share))));
};
