"use strict";
/* The index of claims: a search and a choice for each column with few values. */
function filters(box) {
  const table = box.querySelector("table");
  if (!table) return;
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim());
  const form = document.createElement("form");
  form.className = "filters";
  form.setAttribute("role", "search");
  form.setAttribute("aria-label", "Claims");
  const control = (name, field) => {
    const label = document.createElement("label");
    label.append(name + " ", field);
    form.append(label);
    return field;
  };
  const text = document.createElement("input");
  text.type = "search";
  text.name = "text";
  control("Search", text);
  const choices = ["Paper", "Kind", "Verdict", "Weight"].map(name => {
    const column = heads.indexOf(name), select = document.createElement("select");
    select.name = name.toLowerCase();
    select.append(new Option("all", ""));
    [...new Set(rows.map(row => row.cells[column].textContent.trim()))].filter(Boolean).forEach(one => select.append(new Option(one, one)));
    control(name, select);
    return { column, select };
  });
  const count = document.createElement("output");
  const reset = document.createElement("button");
  reset.type = "reset";
  reset.textContent = "Show all";
  form.append(reset, count);
  const apply = () => {
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach(row => {
      const all = row.textContent.toLowerCase();
      const fits = words.every(word => all.includes(word))
        && choices.every(({ column, select }) => !select.value || row.cells[column].textContent.trim() === select.value);
      row.hidden = !fits;
      shown += fits;
    });
    count.textContent = `${shown} of ${rows.length} claims`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", event => event.preventDefault());
  box.prepend(form);
  apply();
}
document.querySelectorAll(".filtered").forEach(filters);

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
