// Markup: html`<p class="soft">${words}</p>` is a tree for tree.js, never text that is parsed as
// markup by the browser.
//
// What stands in ${} is a value: text, a tree, a list of them, or nothing (null, undefined, true,
// false). As an attribute it keeps its type (style=${{ opacity: 1 }}, onclick=${act}); in quotes it
// becomes part of a string. class=${[...]} leaves out what is empty, ...${props} adds a set of
// attributes, key=${...} lets an element keep itself when its place changes, and mounted=${(node)
// => ...} is told when the element stands in the page. A line break with the spaces around it is
// only the source's; a space within a line is the sentence's. Each template is read once.

import { element } from "./tree.js";

const HOLE = "\ue000";
const TOKEN = /<(\/?)([\w-]*)((?:"[^"]*"|[^">])*?)(\/?)>|[^<]+/g;
const ATTRIBUTE = /\.\.\.\ue000|([^\s="]+)(?:=(?:"([^"]*)"|(\ue000)))?/g;

const templates = new WeakMap();

export function html(strings, ...values) {
  if (!templates.has(strings)) templates.set(strings, readTemplate(strings.join(HOLE)));
  const roots = templates.get(strings).map((part) => part(values));
  return roots.length === 1 ? roots[0] : roots;
}

// Each part of a template is a function from the values to what it stands for.
function readTemplate(text) {
  let holes = 0;
  const hole = () => {
    const index = holes;
    holes += 1;
    return (values) => values[index];
  };
  const parts = (piece, clean) =>
    piece
      .split(/(\ue000)/)
      .map((one) => (clean ? clean(one) : one))
      .filter((one) => one !== "")
      .map((one) => (one === HOLE ? hole() : () => one));
  const roots = [];
  const open = [roots];
  let token = TOKEN.exec(text);
  while (token) {
    const [whole, closes, tag, attributes, selfClosed] = token;
    if (closes) open.pop();
    else if (tag) {
      const readers = readAttributes(attributes, hole, parts);
      const kids = [];
      open[open.length - 1].push((values) => build(tag, readers, kids, values));
      if (!selfClosed) open.push(kids);
    } else open[open.length - 1].push(...parts(whole, withoutBreaks));
    token = TOKEN.exec(text);
  }
  if (open.length !== 1) throw new Error(`Unclosed element in the template ${text}`);
  return roots;
}

function withoutBreaks(text) {
  return text.replace(/^\s*\n\s*|\s*\n\s*$/g, "").replace(/\s*\n\s*/g, " ");
}

function build(tag, readers, kids, values) {
  const props = {};
  for (const read of readers) read(props, values);
  return element(
    tag,
    props,
    kids.map((kid) => kid(values))
  );
}

// For each attribute a function that writes it into the element's props.
function readAttributes(text, hole, parts) {
  const readers = [];
  let found = ATTRIBUTE.exec(text);
  while (found) {
    const [whole, name, quoted, bare] = found;
    if (whole.startsWith("...")) {
      const all = hole();
      readers.push((props, values) => Object.assign(props, all(values)));
    } else {
      const value = bare ? hole() : quoted === undefined ? () => true : joined(parts(quoted));
      readers.push((props, values) => setProp(props, name, value(values)));
    }
    found = ATTRIBUTE.exec(text);
  }
  return readers;
}

function joined(parts) {
  const text = (value) => (value === null || value === undefined ? "" : value);
  return (values) => parts.map((part) => text(part(values))).join("");
}

function setProp(props, name, value) {
  if (name === "class" && Array.isArray(value)) props.class = value.filter(Boolean).join(" ");
  else if (/^on[a-z]/.test(name))
    props.on = Object.assign({}, props.on, { [name.slice(2)]: value });
  else props[name] = value;
}
