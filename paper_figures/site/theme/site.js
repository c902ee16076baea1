"use strict";
/* The index of claims: a search, and a choice of paper, kind and verdict, over the tables below a place. */
function filters(place) {
  const words = head => head.firstChild.textContent.trim();
  const rows = [], heads = new Map();
  let paper, kind;
  for (let one = place.nextElementSibling; one; one = one.nextElementSibling) {
    if (one.matches("h2")) paper = one;
    else if (one.matches("h3")) kind = one;
    else one.querySelectorAll("tbody tr").forEach(row => {
      const badge = row.querySelector(".badge");
      rows.push({ row, verdict: badge ? badge.textContent : "", paper: words(paper), kind: words(kind).split(" ")[0] });
      [paper, kind, row.closest("table")].forEach(of => heads.set(of, [...heads.get(of) || [], row]));
    });
  }
  const form = document.createElement("form");
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Claims");
  const control = (name, field) => {
    const label = document.createElement("label");
    field.name = name;
    label.append(name[0].toUpperCase() + name.slice(1) + " ", field);
    form.append(label);
    return field;
  };
  const text = control("search", Object.assign(document.createElement("input"), { type: "search" }));
  const choices = ["paper", "kind", "verdict"].map(name => {
    const select = control(name, document.createElement("select"));
    select.append(new Option("all", ""));
    new Set(rows.map(one => one[name])).forEach(one => select.append(new Option(one, one)));
    return select;
  });
  const count = document.createElement("output");
  const reset = Object.assign(document.createElement("button"), { type: "reset", textContent: "Show all" });
  form.append(reset, count);
  const apply = () => {
    const asked = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach(one => {
      const all = `${one.row.textContent} ${one.paper} ${one.kind}`.toLowerCase();
      const fits = asked.every(word => all.includes(word)) && choices.every(({ name, value }) => !value || one[name] === value);
      one.row.hidden = !fits;
      shown += fits;
    });
    heads.forEach((of, head) => { head.hidden = of.every(row => row.hidden); });
    count.textContent = `${shown} of ${rows.length} claims`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", event => event.preventDefault());
  place.append(form);
  apply();
}
document.querySelectorAll(".filters").forEach(filters);

/* What is wider than its column scrolls by itself, by keyboard too. */
const wide = new ResizeObserver(entries => entries.forEach(({ target }) => {
  const scrolls = target.scrollWidth > target.clientWidth + 1;
  target.classList.toggle("scrolls", scrolls);
  if (scrolls) {
    target.tabIndex = 0;
    target.setAttribute("role", "group");
    target.setAttribute("aria-label", "Table, scrolls sideways");
  } else ["tabindex", "role", "aria-label"].forEach(name => target.removeAttribute(name));
}));
const fit = () => document.querySelectorAll(".md-content math").forEach(one => {
  let column = one.parentElement;
  while (!column.clientWidth && column.parentElement) column = column.parentElement;
  one.classList.remove("wide");
  const scrolls = one.getBoundingClientRect().width > column.clientWidth;
  one.classList.toggle("wide", scrolls);
  if (scrolls) one.tabIndex = 0;
  else one.removeAttribute("tabindex");
});
fit();
addEventListener("resize", fit);
const observe = () => document.querySelectorAll(".md-typeset__scrollwrap").forEach(one => wide.observe(one));
observe();
new MutationObserver(observe).observe(document.querySelector(".md-content"), { childList: true, subtree: true });
