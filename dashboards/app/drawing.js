// A drawing or a table that can be clicked: elements with data-pick send its value. Arrow keys move between them,
// Enter picks; keys that the page wants (data.keys) are heard wherever no field has the focus.
const FIELDS = "input, textarea, select, [contenteditable], [role=slider], [role=tab], [role=combobox], [role=radio], [role=option]";

export default function ({ parentElement, data, setTriggerValue }) {
  const host = parentElement.querySelector(".cw-picture");
  host.send = setTriggerValue;
  host.data = data;
  if (host.markup !== data.markup) show(host, data);
  host.style.setProperty("--cw-tallest", data.tallest ?? "none");
  host.classList.toggle("cw-ghosting", Boolean(data.ghosts));
  choose(host, data.chosen ?? []);
  // What is turned by a key stays under the pointer.
  ghost(host, host.shown);
  mark(host, data.now);
  if (!host.ready) listen(host);
  // Streamlit calls this again for every change of the page, and what is returned only at the end: one listener is enough.
  host.heard ??= (event) => hear(host, event);
  if (data.keys?.length) document.addEventListener("keydown", host.heard);
  return () => document.removeEventListener("keydown", host.heard);
}

function show(host, data) {
  const active = host.getRootNode().activeElement?.dataset?.pick;
  host.innerHTML = data.markup;
  host.markup = data.markup;
  host.now = undefined;
  const places = picks(host);
  host.querySelectorAll("svg").forEach((svg) => {
    if (svg.querySelector("[data-pick]")) svg.setAttribute("role", "group");
  });
  const stay = places.find((place) => place.dataset.pick === active);
  places.forEach((place, at) => {
    if (place instanceof SVGElement) {
      place.setAttribute("role", "button");
      place.setAttribute("aria-label", place.dataset.at ?? place.dataset.pick);
      place.setAttribute("tabindex", place === (stay ?? places[0]) ? "0" : "-1");
    }
  });
  stay?.focus({ preventScroll: true });
}

// What is hidden from those who cannot see is for the pointer alone: there is another way by keyboard.
const BY_KEY = "[data-pick]:not([aria-hidden])";
const picks = (host) => [...host.querySelectorAll(BY_KEY)];

function mark(host, now) {
  if (host.now === now) return;
  host.now = now;
  for (const place of host.querySelectorAll("[data-now]")) {
    const on = place.dataset.now === now;
    place.classList.toggle("cw-now", on);
    if (on) place.setAttribute("aria-current", "true");
    else place.removeAttribute("aria-current");
  }
  const row = host.querySelector("tr.cw-now");
  const room = row?.closest(".cw-scroll");
  if (!room || room.scrollHeight <= room.clientHeight) return;
  const head = room.querySelector("thead")?.offsetHeight ?? 0;
  const above = row.offsetTop - head, below = row.offsetTop + row.offsetHeight - room.clientHeight;
  if (room.scrollTop > above) room.scrollTop = above;
  else if (room.scrollTop < below) room.scrollTop = below;
}

function choose(host, cells) {
  const wanted = new Set(cells.map(String));
  for (const place of host.querySelectorAll(".cw-cells path")) {
    place.classList.toggle("cw-chosen", wanted.has(place.dataset.cell));
  }
}

function ghost(host, cell) {
  const [cells, fits] = (cell != null && host.data.ghosts?.[cell]) || [[], false];
  const wanted = new Set(cells.map(String));
  for (const place of host.querySelectorAll(".cw-cells path")) {
    const on = wanted.has(place.dataset.cell);
    place.classList.toggle("cw-fits", on && fits);
    place.classList.toggle("cw-misfits", on && !fits);
  }
  host.shown = cell;
}

// A row of a table that stands beside a board says which cells it is about.
function showsCells(host, row) {
  if (host.row === row) return;
  host.row = row;
  const wanted = new Set(row?.dataset.shows.split(" "));
  for (const place of host.querySelectorAll(".cw-cells path")) {
    place.classList.toggle("cw-shown", wanted.has(place.dataset.cell));
  }
}

function listen(host) {
  host.ready = true;
  const rowOf = (event) => event.target.closest?.("[data-shows]") ?? null;
  for (const kind of ["pointerover", "focusin"]) host.addEventListener(kind, (event) => showsCells(host, rowOf(event)));
  host.addEventListener("pointerleave", () => showsCells(host, null));
  const cellOf = (event) => event.target.closest?.("[data-cell]")?.dataset.cell ?? null;
  host.addEventListener("pointerover", (event) => {
    if (host.data.ghosts && event.pointerType !== "touch") ghost(host, cellOf(event));
  });
  host.addEventListener("pointerleave", () => ghost(host, null));
  host.addEventListener("focusin", (event) => host.data.ghosts && ghost(host, cellOf(event)));
  host.addEventListener("pointerdown", (event) => { host.touched = event.pointerType === "touch"; });
  host.addEventListener("click", (event) => {
    // A row leads where the link in it leads.
    const place = event.target.closest?.("[data-pick]") ?? event.target.closest?.("tr")?.querySelector("a[data-pick]");
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // A finger does not hover: its first touch shows where the piece would lie, its second one puts it there.
    if (host.touched && host.data.ghosts?.[place.dataset.cell] && host.touching !== place.dataset.cell) {
      host.touching = place.dataset.cell;
      ghost(host, place.dataset.cell);
      return;
    }
    host.touching = null;
    // Arrow keys are to step on from a point of a graph, not to walk among its points.
    if (event.detail && place.classList.contains("cw-point")) place.blur();
    host.send("pick", place.dataset.pick);
  });
  host.addEventListener("keydown", (event) => {
    const place = event.target.closest?.("svg [data-pick]");
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      host.send("pick", place.dataset.pick);
    } else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      event.stopPropagation();
      const next = beside(host, place, event.key);
      if (!next) return;
      place.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  });
}

function beside(host, place, key) {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(place);
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null, least = Infinity;
  for (const other of host.querySelectorAll(`svg ${BY_KEY}`)) {
    if (other === place) continue;
    const [u, v] = middle(other);
    const along = (u - x) * way[0] + (v - y) * way[1];
    const off = Math.abs((u - x) * way[1]) + Math.abs((v - y) * way[0]);
    if (along > 1 && along + 3 * off < least) [best, least] = [other, along + 3 * off];
  }
  return best;
}

function hear(host, event) {
  if (!host.data.keys.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  const from = event.composedPath()[0];
  if (from.closest?.(FIELDS) || (from.closest?.("svg [data-pick]") && event.key.startsWith("Arrow"))) return;
  event.preventDefault();
  host.send("key", event.key);
}
