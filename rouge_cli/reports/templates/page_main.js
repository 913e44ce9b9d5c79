/** Starts the page: tabs, the list of EVALs, the open EVAL, the address. */

import { NO_VALUE, OUTCOMES, addressOf, bucketsOf, choiceIn, csvOf, firstChoice, needsFacts, readFacts, rowsOf, waysOf } from "./page_choice.js";
import { pageOf, unpack } from "./page_data.js";
import { evalOf, followWords } from "./page_eval.js";
import { PER_PAGE, drawBuckets, drawList } from "./page_list.js";
import { $, appendSvg, fill, make } from "./page_parts.js";

/**
 * @typedef {import("./page_data.js").Page} Page
 * @typedef {import("./page_choice.js").Facts} Facts
 */

const VIEWS = ["result", "compared", "evals", "origin"];
const FIELDS = /** @type {const} */ (["contains", "loses", "low", "high", "lowb", "highb", "from", "to"]);

/**
 * Show one part of the page, and mark its link.
 * @param {string} view
 */
const turnTo = (view) => {
  document.body.dataset.view = view;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("nav a"))) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
};

/**
 * Link the numbers of wins to the EVALs that they count; zero counts none.
 * @param {Page} page
 */
const linkWins = (page) => {
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector("#wins table"));
  if (table?.tHead == null) return;
  const labels = [...table.tHead.rows[0].cells].map(({ textContent }) => textContent ?? "").filter(Boolean);
  for (const { cells } of table.tBodies[0].rows) {
    const [a, b] = [0, 1].map((column) => page.data.systems.indexOf(
      cells[column].querySelector("[title]")?.getAttribute("title") ?? cells[column].textContent ?? ""));
    for (const [column, cell] of [...cells].slice(2).entries()) {
      const measure = page.measures.findIndex(({ label }) => label === labels[Math.floor(column / 3)]);
      const href = addressOf(page, { ...firstChoice(page), measure, a, b, wins: OUTCOMES[column % 3 + 1] });
      if (measure >= 0 && a >= 0 && b >= 0 && cell.textContent !== "0") cell.replaceChildren(make("a", { href }, ...cell.childNodes));
    }
  }
};

/**
 * Link the bars of histograms, and the cells of maps of A against B, to the EVALs that they count.
 * Each drawing is one stop of the tab key: the arrows go from there.
 * @param {Page} page
 */
const linkBars = (page) => {
  for (const panel of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-bars]"))) {
    /** @type {[[string, number[]][], number[][], string[]]} */
    const [bins, plots, pair] = JSON.parse(panel.dataset.bars ?? "");
    delete panel.dataset.bars;
    const nSystems = plots.length / bins.length;
    const svg = /** @type {SVGElement} */ (panel.querySelector("svg"));
    panel.setAttribute("role", "group");
    for (const child of svg.children) child.setAttribute("aria-hidden", "true");
    plots.forEach(([left, top, width, height], place) => {
      const [label, edges] = bins[Math.floor(place / nSystems)];
      const isMap = pair.length > 0;
      const systems = isMap ? pair.map((name) => page.data.systems.indexOf(name)) : [place % nSystems];
      const [a, b = a === 1 ? 0 : firstChoice(page).b] = systems;
      const nBins = edges.length - 1;
      const measure = page.measures.findIndex((candidate) => candidate.label === label);
      /** @type {number[]} */
      const sizes = Array(isMap ? nBins ** 2 : nBins).fill(0);
      page.data.evals.forEach((_, row) => {
        const [x, y = 0] = systems.map((system) => {
          const score = page.value(system, row, page.measures[measure]);
          return score === null ? NaN
            : Math.min(nBins - 1, edges.findLastIndex((edge) => edge <= score * page.factor(page.measures[measure])));
        });
        if (!Number.isNaN(x + y)) sizes[y * nBins + x] += 1;
      });
      const ends = (/** @type {number} */ bin) => (
        [bin > 0 ? String(edges[bin]) : "", bin < nBins - 1 ? String(edges[bin + 1]) : ""]);
      const range = (/** @type {number} */ bin) => (
        `from ${Number(edges[bin].toPrecision(4))} to ${Number(edges[bin + 1].toPrecision(4))}`);
      sizes.forEach((size, cell) => {
        if (size === 0) return;
        const [x, y] = [cell % nBins, Math.floor(cell / nBins)];
        const [low, high] = ends(x);
        const [lowb, highb] = isMap ? ends(y) : ["", ""];
        const choice = { ...firstChoice(page), measure, a, b, low, high, lowb, highb };
        const link = appendSvg(svg, "a", { href: addressOf(page, choice), tabindex: svg.querySelector("a") ? -1 : 0 });
        const box = isMap ? { y: top + height * (nBins - 1 - y) / nBins, height: height / nBins } : { y: top, height };
        appendSvg(link, "rect", { x: left + width * x / nBins, width: width / nBins, ...box });
        const other = isMap ? `; ${page.data.shown[b]} ${range(y)}` : "";
        appendSvg(link, "title", {}, `${page.data.shown[a]}, ${label} ${range(x)}${other}: texts: ${size}`);
      });
    });
    panel.addEventListener("keydown", (event) => {
      const links = [...panel.querySelectorAll("a")];
      const now = links.findIndex((link) => link === document.activeElement);
      const next = links[now + ({ ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0)];
      if (next === undefined || next === links[now]) return;
      event.preventDefault();
      links[now].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    });
  }
};

/** @param {Page} page */
const run = async (page) => {
  const { data, measures } = page;
  const hasPairs = data.systems.length > 1;
  let choice = firstChoice(page);
  let rows = data.evals.map((_, row) => row);
  let start = 0;
  let model = 0;
  let differs = false;
  /** @type {import("./page_choice.js").Bucket[]} */
  let buckets = [];
  /** @type {(Facts | null)[]} */
  let facts = [];
  /** @type {Promise<(Facts | null)[]> | null} */
  let reading = null;
  let turn = 0;

  const link = (/** @type {number} */ row) => addressOf(page, { ...choice, row, unknown: "" });
  const keep = () => {
    const address = addressOf(page, choice);
    if (document.body.dataset.view !== "evals" || address === location.hash) return;
    // Browsers refuse this inside frames, or when the reader types very fast.
    try { history.replaceState(null, "", address); } catch { /* The next change brings it. */ }
  };

  const draw = () => {
    drawList(page, choice, rows, start, { link, order });
    const last = Math.max(0, Math.ceil(rows.length / PER_PAGE) - 1);
    const now = Math.floor(start / PER_PAGE);
    const isAll = rows.length === data.evals.length && choice.contains === "";
    const missing = data.evals.length - page.nTexts;
    const searched = !needsFacts(choice) || missing === 0 ? ""
      : page.nTexts ? `, searched by ID, and in the texts of ${page.nTexts}` : ", searched by ID";
    $("found").textContent = isAll ? `${data.evals.length} texts` : `${rows.length} of ${data.evals.length} texts${searched}`;
    $("pages").hidden = rows.length <= PER_PAGE;
    $("page").textContent = `Page ${now + 1} of ${last + 1}`;
    $("back").disabled = now === 0;
    $("next").disabled = now === last;
    $("save").disabled = rows.length === 0;
  };

  // Choose and order the EVALs; the last of several calls wins.
  const arrange = async () => {
    turn += 1;
    const mine = turn;
    if (needsFacts(choice) && facts.length === 0) {
      reading ??= readFacts(page);
      $("found").textContent = `Reading ${page.nTexts} texts \u2026`;
      facts = await reading;
      if (mine !== turn) return;
    }
    rows = rowsOf(page, choice, facts);
    const all = rows;
    buckets = ["", "place", "only"].includes(choice.by) ? [] : bucketsOf(page, choice, rows, facts);
    if (choice.bucket !== "") rows = buckets[Number(choice.bucket)]?.rows ?? rows;
    start = Math.max(0, Math.floor(rows.indexOf(choice.row ?? -1) / PER_PAGE) * PER_PAGE);
    draw();
    await drawBuckets(page, choice, all, buckets, (bucket) => (
      addressOf(page, { ...choice, bucket: choice.bucket === String(bucket) ? "" : String(bucket), row: null, unknown: "" })));
  };

  const reveal = (/** @type {Node[]} */ ...content) => $("eval").replaceChildren(...content);
  const titled = (/** @type {string} */ id) => make("h3", { id: "eval-title", tabIndex: -1 }, `Text ${id}`);
  const openEval = async (/** @type {boolean} */ moves) => {
    // From another tab, the reader returns to what was chosen.
    document.querySelector("nav [data-view='evals']")?.setAttribute("href", addressOf(page, choice));
    if (choice.unknown) {
      const title = titled(choice.unknown);
      reveal(title, make("p", { className: "note" }, "This page has no text with this ID."));
      if (moves) focusOn(title);
      return;
    }
    const row = choice.row ?? rows[0];
    if (row === undefined) {
      reveal(make("h3", { id: "eval-title" }, "No text"), make("p", { className: "note" }, "No text is like that: change the filters."));
      return;
    }
    const title = titled(data.evals[row]);
    const step = (/** @type {number} */ by, /** @type {string} */ label, /** @type {string} */ key) => {
      const button = make("button", { type: "button", disabled: neighbour(by) === undefined, "aria-keyshortcuts": key }, label);
      button.addEventListener("click", () => go(by));
      return button;
    };
    const content = await evalOf(page, choice, row, {
      model,
      differs,
      choose: (name, option) => {
        if (name === "model") model = option;
        else if (name === "differs") differs = option > 0;
        else {
          const { letter } = measures[choice.measure];
          const same = measures.findIndex((measure) => measure.metric === option && measure.letter === letter);
          choice.measure = same < 0 ? measures.findIndex((measure) => measure.metric === option) : same;
          $("measure").value = String(choice.measure);
        }
        (name === "marks" ? change() : openEval(false))
          .then(() => $("eval").querySelector(`input[name='${name}']:checked`)?.focus());
      },
      whereLink: (field, value) => addressOf(page, { ...choice, row: null, unknown: "",
        where: choice.where.map((wanted, index) => (index === field ? value : wanted)) }),
    });
    if (row !== (choice.row ?? rows[0]) || choice.unknown) return;
    reveal(make("div", { className: "bar-top" }, title, step(-1, "Previous text", "k"), step(1, "Next text", "j")), ...content);
    const line = $("list").querySelector(`[data-row="${row}"]`);
    for (const current of $("list").querySelectorAll("[aria-current]")) current.removeAttribute("aria-current");
    for (const stop of $("list").querySelectorAll("a[tabindex='0']")) stop.tabIndex = line ? -1 : 0;
    line?.setAttribute("aria-current", "true");
    if (line) line.querySelector("a").tabIndex = 0;
    line?.scrollIntoView({ block: "nearest" });
    $("eval").scrollTop = 0;
    if (moves) focusOn(title);
  };
  const focusOn = (/** @type {HTMLElement} */ title) => {
    title.focus({ preventScroll: true });
    const { top } = $("eval").getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) $("eval").scrollIntoView({ block: "start" });
  };

  const neighbour = (/** @type {number} */ by) => {
    const index = rows.indexOf(choice.row ?? rows[0]);
    return index < 0 ? undefined : rows[index + by];
  };
  // Without new entries in the history: one step back leaves the EVALs.
  const go = (/** @type {number} */ by, inList = false) => {
    const row = neighbour(by);
    if (row === undefined) return;
    Object.assign(choice, { row, unknown: "" });
    keep();
    const index = rows.indexOf(row);
    if (index < start || index >= start + PER_PAGE) {
      start = Math.floor(index / PER_PAGE) * PER_PAGE;
      draw();
    }
    openEval(!inList);
    if (inList) $("list").querySelector(`[data-row="${row}"] a`)?.focus();
  };

  const change = async () => {
    keep();
    await arrange();
    await openEval(false);
  };
  const order = (/** @type {string} */ name) => {
    const lower = /^\d+$/u.test(name) && Boolean(data.lower[measures[choice.measure].metric]);
    choice.ascending = choice.sort === name ? !choice.ascending : lower;
    choice.sort = name;
    change().then(() => $("list").querySelector(`[data-name="${name}"] button`)?.focus());
  };

  // Show what the address says.
  const follow = async () => {
    const hash = location.hash.slice(1);
    const target = hash && !hash.includes("=") ? $(hash) : null;
    if (target && hash !== "evals") {
      const view = VIEWS.find((name) => $(name)?.contains(target)) ?? "result";
      turnTo(view);
      // Not earlier: there may be thousands.
      if (view === "compared") linkBars(page);
      if (VIEWS.includes(hash)) scrollTo(0, 0);
      else target.scrollIntoView();
      return;
    }
    if (hash === "") {
      turnTo("result");
      return;
    }
    turnTo("evals");
    let named = hash === "evals" ? "" : `#${hash}`;
    if (named && !/^(eval|metric|a|b|sort|order|contains|loses|wins|low|high|lowb|highb|from|to|by|bucket|where\.[^=]*)=/u.test(hash)) named = `#eval=${hash}`;
    choice = choiceIn(page, named);
    show();
    await arrange();
    await openEval(choice.row !== null || choice.unknown !== "");
  };

  // Controls.
  const show = () => {
    $("measure").value = String(choice.measure);
    $("first").value = String(choice.a);
    $("second").value = String(choice.b);
    $("by").value = choice.by;
    $("better").value = choice.wins;
    for (const name of FIELDS) $(name).value = choice[name];
    page.fields.forEach((field, index) => {
      const wanted = choice.where[index];
      // Options are values by position, since a value may be anything, even empty like "all".
      $(`where-${index}`).value = !field.isListed ? wanted ?? ""
        : wanted === null ? "" : String(wanted === "" ? -1 : field.values.indexOf(wanted));
    });
    if (choice.loses || choice.wins || choice.low || choice.high || choice.lowb || choice.highb || choice.from || choice.to || choice.by) $("filters").open = true;
  };
  /** @type {(names: string[]) => [string, string][]} */
  const numbered = (names) => names.map((name, index) => [String(index), name]);
  fill($("measure"), numbered(measures.map(({ label }) => label)), String(choice.measure));
  fill($("first"), numbered(data.shown), String(choice.a));
  fill($("second"), numbered(data.shown), String(choice.b));
  fill($("better"), OUTCOMES.map((outcome, index) => [outcome, ["any", "A is better", "equal", "B is better"][index]]), "");
  const isThere = (/** @type {string} */ by) => (by === "only" ? hasPairs && page.nTexts > 0
    : !["length", "rarity", "place"].includes(by) || page.nTexts > 0);
  fill($("by"), waysOf(page).filter(([by]) => isThere(by)), choice.by);
  for (const element of document.querySelectorAll(".of-pairs")) /** @type {HTMLElement} */ (element).hidden = !hasPairs;
  for (const element of document.querySelectorAll(".of-texts")) /** @type {HTMLElement} */ (element).hidden = page.nTexts === 0;
  for (const [id, name] of /** @type {const} */ ([["measure", "measure"], ["first", "a"], ["second", "b"]])) {
    $(id).addEventListener("change", () => { choice[name] = Number($(id).value); change(); });
  }
  $("by").addEventListener("change", () => { Object.assign(choice, { by: $("by").value, bucket: "" }); change(); });
  $("better").addEventListener("change", () => { choice.wins = $("better").value; filter(); });
  $("print-list").addEventListener("change", () => document.body.classList.toggle("prints-list", $("print-list").checked));
  const filter = () => {
    if (choice.row !== null || choice.unknown) Object.assign(choice, { row: null, unknown: "" });
    change();
  };
  for (const name of FIELDS) {
    $(name).addEventListener("input", () => {
      choice[name] = $(name).value;
      filter();
    });
  }
  page.fields.forEach((field, index) => {
    const id = `where-${index}`;
    const input = field.isListed ? make("select", { id })
      : make("input", { id, type: "search", autocomplete: "off", spellcheck: false });
    if (input instanceof HTMLSelectElement) {
      const values = /** @type {[string, string][]} */ (field.values.map((value, option) => [String(option), value]));
      fill(input, [["", "all"], ...values, .../** @type {[string, string][]} */ (field.hasGaps ? [["-1", NO_VALUE]] : [])], "");
    }
    input.addEventListener(field.isListed ? "change" : "input", () => {
      const { value } = input;
      choice.where[index] = value.trim() === "" ? null : field.isListed ? field.values[Number(value)] ?? "" : value;
      filter();
    });
    $("save").before(make("label", { className: "of-fields" }, field.isListed ? field.name : `${field.name} contains`, input));
  });
  $("controls").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  for (const [name, by] of /** @type {[string, number][]} */ ([["back", -PER_PAGE], ["next", PER_PAGE]])) {
    $(name).addEventListener("click", () => { start += by; draw(); $("rows").scrollTop = 0; });
  }
  $("save").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([csvOf(page, choice, rows)], { type: "text/csv" }));
    make("a", { href: address, download: "evals.csv" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (document.body.dataset.view !== "evals" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (target.closest("input, select, textarea, summary") || !(target === document.body || target.closest("#explorer"))) return;
    const inList = target.closest("#rows") !== null;
    const by = { j: 1, k: -1, ArrowDown: inList ? 1 : 0, ArrowUp: inList ? -1 : 0 }[event.key] ?? 0;
    if (by === 0) return;
    event.preventDefault();
    go(by, inList);
  });
  // The address of the open EVAL does not change.
  $("list").addEventListener("click", (/** @type {any} */ event) => {
    if (event.target.closest("tbody a")?.hash === location.hash) openEval(true);
  });
  linkWins(page);
  followWords($("eval"));
  addEventListener("hashchange", follow);
  for (const name of ["controls", "explorer", "list-caption"]) $(name).hidden = false;
  await arrange();
  await openEval(false);
  await follow();
};

// The most recent features that the page needs.
if (typeof DecompressionStream === "undefined" || !("toSorted" in [])) {
  $("unread").hidden = false;
} else {
  // Show something at once, while the rest is unpacked.
  turnTo(/=|^#evals$/u.test(location.hash) ? "evals" : "result");
  document.body.classList.add("tabbed");
  const chunks = [...document.querySelectorAll(".texts")].map(({ textContent }) => textContent ?? "");
  await run(pageOf(JSON.parse(await unpack($("scores").textContent)), chunks));
}
document.documentElement.dataset.ready = "true";
