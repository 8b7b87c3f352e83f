"use strict";
(() => {
  // The table is whole without this; with it, a click on a heading sorts, and a word filters.
  const table = document.getElementById("everybody");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.n ?? cell.textContent.trim();
    const number = text === "" || text === "–" ? -Infinity : Number(text);
    return [Number.isNaN(number) ? null : number, text];
  };
  const compare = ([m, a], [n, b]) => (m !== null && n !== null ? m - n || 0 : a.localeCompare(b));
  Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = rows.map((row) => [key(row, column), row]);
      keyed.sort((a, b) => (down ? compare(b[0], a[0]) : compare(a[0], b[0])));
      body.append(...keyed.map((pair) => pair[1]));
    });
  });
  const form = document.getElementById("filter");
  const [field, told] = [form.querySelector("input"), form.querySelector("output")];
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  field.addEventListener("input", () => {
    const word = field.value.trim().toLowerCase();
    let count = 0;
    rows.forEach((row) => {
      row.hidden = !row.textContent.toLowerCase().includes(word);
      count += !row.hidden;
    });
    told.textContent = told.dataset.said.replace("{}", count).replace("{}", rows.length);
  });
})();
