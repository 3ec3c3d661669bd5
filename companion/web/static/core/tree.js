// A tree of plain values and one function that makes the page equal to it.
//
// Elements stay the same ones while their key (or their place and tag) stays: so a finger that is
// down keeps its button, focus stays where it was, and what moves moves by CSS transition. Text
// only ever becomes a text node: no name, however it is written, can become markup. Styles go
// through the object model, because the page's policy allows no inline ones.

const SVG = "http://www.w3.org/2000/svg";
const AS_PROPERTY = { value: true, checked: true, selected: true, disabled: true };
// What a finger changes on the page itself: compared with what the page shows now, so that a choice
// which the table did not take does not stand there as if it had.
const ALWAYS = { checked: true, selected: true, style: true, on: true };

export function element(tag, props, kids) {
  const key = props.key === undefined || props.key === null ? null : String(props.key);
  return { tag, props, kids: flat(kids, []), key };
}

function flat(kids, out) {
  kids.forEach((kid) => {
    if (Array.isArray(kid)) flat(kid, out);
    else if (kid !== null && kid !== undefined && kid !== false && kid !== true && kid !== "")
      out.push(kid);
  });
  return out;
}

// What waits until the whole tree stands in the page: a field takes the focus only there.
const unmounted = [];
let depth = 0;

// Make the children of `host` equal to `kids`.
export function patch(host, kids) {
  depth += 1;
  const keyed = {};
  const free = [];
  for (let node = host.firstChild; node; node = node.nextSibling) {
    if (typeof node.__key === "string") keyed[node.__key] = node;
    else free.push(node);
  }
  const nodes = flat([kids], []).map((kid) => nodeFor(host, kid, keyed, free));
  const kept = new Set(nodes);
  Array.from(host.childNodes).forEach((node) => {
    if (!kept.has(node)) host.removeChild(node);
  });
  nodes.forEach((node, i) => {
    if (host.childNodes[i] !== node) host.insertBefore(node, host.childNodes[i] || null);
  });
  depth -= 1;
  while (depth === 0 && unmounted.length) unmounted.shift()();
}

// The node that stands for `kid`: one of those that are there already, else a new one.
function nodeFor(host, kid, keyed, free) {
  if (typeof kid === "string" || typeof kid === "number") return textNode(String(kid), free);
  let node = null;
  if (kid.key !== null) {
    node = keyed[kid.key];
    if (node && node.__tag !== kid.tag) node = null;
  } else {
    const i = free.findIndex((one) => one.__tag === kid.tag);
    if (i >= 0) node = free.splice(i, 1)[0];
  }
  const fresh = !node;
  if (fresh) node = create(host, kid);
  setProps(node, kid.props, fresh);
  patch(node, kid.kids);
  if (fresh && kid.props.mounted) unmounted.push(() => kid.props.mounted(node));
  return node;
}

function textNode(text, free) {
  const i = free.findIndex((node) => node.nodeType === 3);
  const node = i >= 0 ? free.splice(i, 1)[0] : document.createTextNode("");
  if (node.data !== text) node.data = text;
  return node;
}

function create(host, kid) {
  const inSvg = kid.tag === "svg" || (host.namespaceURI === SVG && host.__tag !== "foreignObject");
  const node = inSvg ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
  return Object.assign(node, { __tag: kid.tag, __key: kid.key, __props: {}, __on: {} });
}

function setProps(node, props, fresh) {
  const before = node.__props;
  Object.keys(before).forEach((name) => {
    if (!(name in props)) setProp(node, name, null, before[name]);
  });
  Object.keys(props).forEach((name) => {
    if (fresh || props[name] !== before[name] || ALWAYS[name])
      setProp(node, name, props[name], before[name]);
  });
  node.__props = props;
}

function setProp(node, name, value, before) {
  if (name === "key" || name === "mounted") return;
  if (name === "on") listen(node, value || {});
  else if (name === "style") setStyle(node, value || {}, before || {});
  else if (AS_PROPERTY[name] && !isValueOfOption(node, name)) {
    if (node[name] !== value) node[name] = value === null ? "" : value;
  } else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

// An option whose property is set to "" keeps its words as its value; its attribute says "".
function isValueOfOption(node, name) {
  return name === "value" && node.nodeName === "OPTION";
}

function setStyle(node, style, before) {
  Object.keys(before).forEach((name) => {
    if (!(name in style)) node.style.removeProperty(name);
  });
  Object.keys(style).forEach((name) => {
    if (before[name] !== style[name]) node.style.setProperty(name, style[name]);
  });
}

function listen(node, handlers) {
  Object.keys(handlers).forEach((type) => {
    if (!(type in node.__on))
      node.addEventListener(type, (event) =>
        node.__on[type] ? node.__on[type](event, node) : undefined
      );
    node.__on[type] = handlers[type];
  });
  Object.keys(node.__on).forEach((type) => {
    if (!(type in handlers)) node.__on[type] = null;
  });
}
