"use strict";
(async () => {
  const PER_PAGE = 25;
  const MOST_COLUMNS = 8;
  const EDGE = "\u007f";
  const $ = (id) => document.getElementById(id);

  // Text is only ever set as text: nothing on this page is parsed as HTML.
  const make = (tag, given = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(given)) {
      if (name in element) element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };

  const unpack = async (element) => {
    const bytes = Uint8Array.from(atob(element.textContent), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };

  const data = await unpack($("scores"));
  const chunks = [...document.querySelectorAll(".texts")];
  const loaded = new Map();
  const home = new Map();
  let packed = 0;
  data.chunks.forEach((size, chunk) => {
    for (let place = 0; place < size; place += 1) home.set(data.texts[packed++], [chunk, place]);
  });
  const textsOf = async (row) => {
    if (!home.has(row)) return null;
    const [chunk, place] = home.get(row);
    if (!loaded.has(chunk)) loaded.set(chunk, unpack(chunks[chunk]));
    return (await loaded.get(chunk))[place];
  };

  const measures = data.metrics.flatMap(([name, letters], metric) =>
    letters.map((letter, place) => ({
      metric, place, letter, label: letter === "S" ? name : `${name} ${letter}`,
    })));
  const state = {
    measure: Math.max(0, measures.findIndex((one) => one.label === data.chosen)),
    first: 0, second: 1, sort: "", descending: true, query: "", page: 0, open: null, system: 0,
  };
  const systems = data.systems.map((_, place) => place);
  const hasPairs = systems.length > 1;

  const value = (system, row, one = measures[state.measure]) => {
    const found = data.scores[system][one.metric][one.place][row];
    return found === null ? null : found / data.units[one.metric];
  };
  const difference = (row) => {
    const [a, b] = [value(state.first, row), value(state.second, row)];
    return a === null || b === null ? null : a - b;
  };
  const shown = (number, letter, sign = "") => {
    if (number === null) return "\u2013";
    const factor = data.percent && letter !== "S" ? 100 : 1;
    const text = (number * factor).toFixed(factor === 100 ? 3 : 5);
    return Number(text) === 0 ? text.replace("-", "") : (number > 0 ? sign : "") + text.replace("-", "\u2212");
  };
  const shownSystems = () => (systems.length <= MOST_COLUMNS ? systems
    : [...new Set([state.first, state.second])]);

  // What the search reads, where that is not every ID and every text.
  const searched = data.texts.length === data.evals.length ? ""
    : data.texts.length ? `, searched by ID, and in the texts of ${data.texts.length}` : ", searched by ID";

  // The list of EVALs.
  let rows = data.evals.map((_, row) => row);
  let words = null;
  const loadWords = async () => {
    const found = await Promise.all(rows.map(async (row) => {
      const texts = await textsOf(row);
      if (texts === null) return "";
      return [...texts.m, ...texts.p].filter(Boolean).flat().join("\n").replaceAll(EDGE, "").toLowerCase();
    }));
    words = found;
  };
  const arrange = async () => {
    const query = state.query.trim().toLowerCase();
    rows = data.evals.map((_, row) => row);
    if (query && chunks.length && words === null) await loadWords();
    if (query !== state.query.trim().toLowerCase()) return;
    if (query) {
      rows = rows.filter((row) => data.evals[row].toLowerCase().includes(query)
        || (words !== null && words[row].includes(query)));
    }
    const key = state.sort === "difference" ? difference
      : state.sort === "id" ? (row) => row : (row) => value(Number(state.sort), row);
    if (state.sort !== "") {
      const sign = state.descending ? -1 : 1;
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === null || y === null) return (x === null) - (y === null) || a - b;
        return sign * (x - y) || a - b;
      });
    }
    draw();
  };

  const heading = (name, text, side) => {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => {
      state.descending = state.sort === name ? !state.descending : name !== "id";
      state.sort = name;
      state.page = 0;
      arrange().then(() => $("list").querySelector(`[data-name="${name}"] button`).focus());
    });
    const cell = make("th", { scope: "col", className: side, "data-name": name }, button);
    if (state.sort === name) {
      cell.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
    }
    return cell;
  };

  const draw = () => {
    const { letter } = measures[state.measure];
    const shownNow = shownSystems();
    const heads = [heading("id", "EVAL", "l")];
    for (const system of shownNow) heads.push(heading(String(system), data.systems[system], "r"));
    if (hasPairs) heads.push(heading("difference", "A \u2212 B", "r"));
    $("list").tHead.replaceChildren(make("tr", {}, ...heads));
    const last = Math.max(0, Math.ceil(rows.length / PER_PAGE) - 1);
    state.page = Math.min(state.page, last);
    const part = rows.slice(state.page * PER_PAGE, (state.page + 1) * PER_PAGE);
    const lines = part.map((row) => {
      const link = make("a", { href: linkTo(row) }, data.evals[row]);
      const line = make("tr", {}, make("th", { scope: "row", className: "l" }, link));
      for (const system of shownNow) {
        const score = value(system, row);
        const cell = make("td", { className: "r" }, shown(score, letter));
        if (data.units[measures[state.measure].metric] > 1 && score !== null) {
          cell.classList.add("bar");
          cell.style.setProperty("--share", `${Math.min(1, score) * 100}%`);
        }
        line.append(cell);
      }
      if (hasPairs) line.append(make("td", { className: "r" }, shown(difference(row), letter, "+")));
      if (row === state.open) line.setAttribute("aria-current", "true");
      return line;
    });
    $("list").tBodies[0].replaceChildren(...lines);
    $("found").textContent = state.query.trim() === "" ? `${data.evals.length} EVALs`
      : `${rows.length} of ${data.evals.length} EVALs${searched}`;
    $("page").textContent = `Page ${state.page + 1} of ${last + 1}`;
    $("back").disabled = state.page === 0;
    $("next").disabled = state.page === last;
  };

  // One EVAL.
  const linkTo = (row) => `#eval=${encodeURIComponent(data.evals[row])}`;
  const count = (number) => (number === null ? "\u2013"
    : Number.isInteger(number) ? String(number) : number.toFixed(5));

  const text_of = ([read, tail], states) => {
    const element = make("p", { className: "text", dir: "auto" });
    read.split(EDGE).forEach((piece, place) => {
      const mark = place % 2 ? states?.[(place - 1) / 2] : "0";
      if (mark === "2") element.append(make("mark", { className: "counts" }, piece));
      else if (mark === "1") element.append(make("mark", { className: "clipped", title: "matches, does not count" }, piece));
      else element.append(piece);
    });
    if (tail) element.append(make("span", { className: "cut", title: "cut off by the limit" }, tail));
    return element;
  };

  const chips = (name, legend, options, chosen, choose) => {
    const box = make("fieldset", {}, make("legend", {}, legend));
    for (const [option, label] of options) {
      const input = make("input", { type: "radio", name, value: String(option), checked: option === chosen });
      input.addEventListener("change", () => choose(option));
      box.append(make("label", {}, input, label));
    }
    return box;
  };

  const pair_of = (texts, model, metric, system) => {
    const marks = texts.k[system]?.[model]?.[metric];
    const [peerStates, modelStates, hit, modelCount, peerCount, isCounted, r, p, f] = marks ?? [];
    const side = (name, text, states) => make("div", { className: "side" }, make("h4", {}, name), text_of(text, states));
    const parts = [];
    if (marks) {
      parts.push(make("p", { className: "count" },
        `${data.metrics[metric][0]}: hit ${count(hit)}, model count ${count(modelCount)}, `
        + `peer count ${count(peerCount)} \u2192 R ${shown(r)}, P ${shown(p)}, F ${shown(f)}`
        + (isCounted ? "" : " \u2013 the score is that of another model")));
    }
    const name = texts.n[model] ? `Model ${texts.n[model]}` : "Model";
    parts.push(make("div", { className: isCounted === 0 ? "sides unused" : "sides" },
      side(`Peer of ${data.systems[system]}`, texts.p[system], peerStates),
      side(name, texts.m[model], modelStates)));
    return make("div", { className: "pair" }, ...parts);
  };

  const scores_of = (row, system) => {
    const head = ["Metric", "R", "P", "F", "hit", "model count", "peer count"];
    const body = data.metrics.map(([name, letters], metric) => {
      const numbers = letters[0] === "S"
        ? [shown(value(system, row, { metric, place: 0 }), "S"), "", ""]
        : ["R", "P", "F"].map((letter) => shown(value(system, row, { metric, place: letters.indexOf(letter) }), letter));
      const counts = data.counts[system][metric];
      return [name, ...numbers, ...(counts === null ? ["", "", ""] : counts.map((one) => count(one[row] ?? null)))];
    });
    const line = (tag, cells, scope) => make("tr", {}, ...cells.map((text, place) =>
      make(place ? tag : "th", { className: place ? "r" : "l", ...(tag === "th" || !place ? { scope } : {}) }, text)));
    const table = make("table", {}, make("caption", {}, `Scores of ${data.systems[system]} in this EVAL`),
      make("thead", {}, line("th", head, "col")), make("tbody", {}, ...body.map((cells) => line("td", cells, "row"))));
    return make("div", { className: "scroll", role: "region", tabIndex: 0, "aria-label": `Scores of ${data.systems[system]}` }, table);
  };

  const twins = (panel) => {
    panel.addEventListener("pointerover", (event) => {
      const mark = event.target.closest("mark");
      for (const one of panel.querySelectorAll("mark.twin")) one.classList.remove("twin");
      if (mark === null) return;
      const word = mark.textContent.toLowerCase();
      for (const one of mark.closest(".pair").querySelectorAll("mark")) {
        if (one.textContent.toLowerCase() === word) one.classList.add("twin");
      }
    });
  };

  const open = async (row, { moves = true } = {}) => {
    state.open = row;
    const place = rows.indexOf(row);
    const step = (by, label) => {
      const button = make("button", { type: "button", disabled: place < 0 || !(place + by in rows) }, label);
      button.addEventListener("click", () => { location.hash = linkTo(rows[place + by]); });
      return button;
    };
    const present = systems.filter((system) => value(system, row, measures[0]) !== null);
    if (!present.includes(state.system)) [state.system] = present;
    const title = make("h3", { id: "eval-title", tabIndex: -1 }, `EVAL ${data.evals[row]}`);
    const parts = [make("div", { className: "bar-top" }, title, step(-1, "Previous EVAL"), step(1, "Next EVAL"))];
    if (hasPairs) {
      parts.push(chips("system", "Peer of", present.map((one) => [one, data.systems[one]]), state.system,
        (chosen) => { state.system = chosen; redraw("system"); }));
    }
    parts.push(scores_of(row, state.system));
    const texts = await textsOf(row);
    if (state.open !== row) return;
    if (texts === null) {
      parts.push(make("p", { className: "note" }, "The texts of this EVAL are not in this file."));
    } else if (texts.p[state.system] !== null) {
      const marked = data.metrics.map((_, metric) => metric)
        .filter((metric) => texts.k[state.system]?.[0]?.[metric]);
      const { metric } = measures[state.measure];
      const now = marked.includes(metric) ? metric : marked[0];
      if (marked.length > 1) {
        parts.push(chips("marks", "Marks of", marked.map((one) => [one, data.metrics[one][0]]), now,
          (chosen) => {
            const { letter } = measures[state.measure];
            const same = measures.findIndex((one) => one.metric === chosen && one.letter === letter);
            state.measure = same < 0 ? measures.findIndex((one) => one.metric === chosen) : same;
            $("measure").value = String(state.measure);
            arrange();
            redraw("marks");
          }));
      }
      if (marked.length) {
        parts.push(make("ul", { className: "legend" },
          make("li", {}, make("mark", { className: "counts" }, "word"), " part of a hit"),
          make("li", {}, make("mark", { className: "clipped" }, "word"), " matches, but is clipped")));
      }
      texts.m.forEach((_, model) => parts.push(pair_of(texts, model, now, state.system)));
    }
    reveal(title, parts, moves);
  };
  const reveal = (title, parts, moves) => {
    const panel = $("eval");
    panel.replaceChildren(...parts);
    panel.hidden = false;
    $("explorer").classList.add("opened");
    draw();
    if (moves) {
      title.focus({ preventScroll: true });
      panel.scrollIntoView({ block: "nearest" });
      if (panel.getBoundingClientRect().top > innerHeight / 2) panel.scrollIntoView({ block: "start" });
    }
  };
  const sayUnknown = (id) => {
    state.open = null;
    const title = make("h3", { id: "eval-title", tabIndex: -1 }, `EVAL ${id}`);
    reveal(title, [title, make("p", { className: "note" }, "This page has no EVAL with this ID.")], true);
  };
  const redraw = async (name) => {
    await open(state.open, { moves: false });
    $("eval").querySelector(`input[name="${name}"]:checked`)?.focus();
  };

  const follow = () => {
    const hash = location.hash.slice(1);
    // A plus sign in an ID is one, and no blank as in forms.
    const named = new URLSearchParams(hash.replaceAll("+", "%2B")).get("eval");
    let wanted = named;
    if (wanted === null && hash && $(hash) === null) {
      try { wanted = decodeURIComponent(hash); } catch { wanted = hash; }
    }
    if (wanted === null) return;
    const row = data.evals.indexOf(wanted);
    if (row < 0) {
      sayUnknown(wanted);
      return;
    }
    const place = rows.indexOf(row);
    if (place >= 0) state.page = Math.floor(place / PER_PAGE);
    open(row);
  };

  // Controls.
  const fill = (select, labels, chosen) => {
    select.replaceChildren(...labels.map((label, place) => make("option", { value: String(place) }, label)));
    select.value = String(chosen);
  };
  fill($("measure"), measures.map((one) => one.label), state.measure);
  fill($("first"), data.systems, state.first);
  fill($("second"), data.systems, state.second);
  if (!hasPairs) for (const one of document.querySelectorAll(".of-pairs")) one.hidden = true;
  for (const name of ["measure", "first", "second"]) {
    $(name).addEventListener("change", () => {
      state[name] = Number($(name).value);
      arrange().then(() => state.open !== null && open(state.open, { moves: false }));
    });
  }
  $("search").addEventListener("input", () => {
    state.query = $("search").value;
    state.page = 0;
    arrange();
  });
  $("controls").addEventListener("submit", (event) => event.preventDefault());
  for (const [name, by] of [["back", -1], ["next", 1]]) {
    $(name).addEventListener("click", () => { state.page += by; draw(); });
  }
  twins($("eval"));
  addEventListener("hashchange", follow);
  for (const name of ["controls", "list", "list-caption", "pages"]) $(name).hidden = false;
  if (data.evals.length <= PER_PAGE) $("pages").hidden = true;
  await arrange();
  follow();
  document.documentElement.dataset.ready = "true";
})();
