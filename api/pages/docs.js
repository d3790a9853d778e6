"use strict";
// Shows /openapi.json and sends requests to the service it came from. Text is only ever set as
// text, never as markup.

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function block(value) {
  return element("pre", { textContent: JSON.stringify(value, null, 1) });
}

function resolve(spec, part) {
  if (!part || !part.$ref) return part;
  return part.$ref.slice(2).split("/").reduce((found, key) => found[key], spec);
}

function link(schema) {
  const name = schema && schema.$ref && schema.$ref.split("/").pop();
  return name ? element("a", { href: `#schema-${name}`, textContent: name }) : block(schema);
}

function responses(spec, operation) {
  const table = element("table");
  for (const [status, given] of Object.entries(operation.responses)) {
    const response = resolve(spec, given);
    const row = element("tr", {}, element("th", { textContent: status }),
      element("td", { textContent: response.description }));
    const cell = element("td");
    for (const content of Object.values(response.content || {})) cell.append(link(content.schema));
    row.append(cell);
    table.append(row);
  }
  return table;
}

async function send(method, path, body, output) {
  output.textContent = "…";
  try {
    const options = { method, headers: { Accept: "*/*" } };
    if (body !== null) {
      options.body = body;
      options.headers["Content-Type"] = "application/json";
    }
    const answer = await fetch(path, options);
    const text = await answer.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 1); } catch { /* shown as it came */ }
    output.textContent = `${answer.status} ${answer.headers.get("Content-Type")}\n\n${shown}`;
  } catch (error) {
    output.textContent = String(error);
  }
}

function tryIt(method, path, example) {
  const output = element("pre", { hidden: true });
  output.setAttribute("aria-live", "polite");
  const parts = [];
  let area = null;
  if (method === "POST") {
    area = element("textarea", { rows: 8, value: JSON.stringify(example, null, 1) });
    area.setAttribute("aria-label", `Body of ${method} ${path}`);
    parts.push(area);
  }
  const button = element("button", { type: "button", textContent: "Send" });
  button.addEventListener("click", () => {
    output.hidden = false;
    send(method, path, area && area.value, output);
  });
  return element("div", {}, ...parts, button, output);
}

function operationBox(spec, path, method, operation) {
  const box = element("details", { id: operation.operationId });
  box.append(element("summary", {},
    element("span", { className: "method", textContent: method }),
    element("code", { textContent: path }), ` ${operation.summary || ""}`));
  const inside = element("div");
  const content = operation.requestBody && operation.requestBody.content["application/json"];
  if (content) inside.append(element("p", {}, "Request: ", link(content.schema)));
  inside.append(responses(spec, operation));
  if (!path.includes("{")) inside.append(tryIt(method, path, content ? content.example : null));
  box.append(inside);
  return box;
}

function show(spec) {
  document.getElementById("title").textContent = `${spec.info.title} ${spec.info.version}`;
  document.getElementById("description").textContent = spec.info.description;
  const main = document.getElementById("operations");
  main.replaceChildren();
  for (const tag of spec.tags) {
    main.append(element("h2", { textContent: tag.description || tag.name }));
    for (const [path, item] of Object.entries(spec.paths)) {
      for (const method of ["get", "post"]) {
        const operation = item[method];
        if (operation && operation.tags.includes(tag.name)) {
          main.append(operationBox(spec, path, method.toUpperCase(), operation));
        }
      }
    }
  }
  const schemas = document.getElementById("schemas");
  for (const [name, schema] of Object.entries(spec.components.schemas)) {
    const box = element("details", { id: `schema-${name}` });
    box.append(element("summary", { textContent: name }), element("div", {}, block(schema)));
    schemas.append(box);
  }
  openTarget();
}

// A link to a closed box opens it.
function openTarget() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && target.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView();
  }
}

addEventListener("hashchange", openTarget);
fetch("/openapi.json").then((answer) => answer.json()).then(show).catch((error) => {
  document.getElementById("operations").textContent = `No document: ${error}`;
});
