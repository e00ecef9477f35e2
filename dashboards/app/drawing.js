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
  ghost(host, null);
  if (!host.ready) listen(host);
  const heard = (event) => hear(host, event);
  if (data.keys?.length) document.addEventListener("keydown", heard);
  return () => document.removeEventListener("keydown", heard);
}

function show(host, data) {
  const active = host.getRootNode().activeElement?.dataset?.pick;
  host.innerHTML = data.markup;
  host.markup = data.markup;
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

const picks = (host) => [...host.querySelectorAll("[data-pick]")];

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

function listen(host) {
  host.ready = true;
  const cellOf = (event) => event.target.closest?.("[data-cell]")?.dataset.cell ?? null;
  host.addEventListener("pointerover", (event) => {
    if (host.data.ghosts && event.pointerType !== "touch") ghost(host, cellOf(event));
  });
  host.addEventListener("pointerleave", () => ghost(host, null));
  host.addEventListener("focusin", (event) => host.data.ghosts && ghost(host, cellOf(event)));
  host.addEventListener("pointerdown", (event) => { host.touched = event.pointerType === "touch"; });
  host.addEventListener("click", (event) => {
    const place = event.target.closest?.("[data-pick]");
    if (!place || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // A finger does not hover: its first touch shows where the piece would lie, its second one puts it there.
    if (host.touched && host.data.ghosts?.[place.dataset.cell] && host.touching !== place.dataset.cell) {
      host.touching = place.dataset.cell;
      ghost(host, place.dataset.cell);
      return;
    }
    host.touching = null;
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
  for (const other of host.querySelectorAll("svg [data-pick]")) {
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
