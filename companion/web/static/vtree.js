// A tree of plain values and one function that makes the page equal to it.
//
// Elements stay the same ones while their key (or their place and tag) stays: so a finger that is down keeps its button,
// focus stays where it was, and what moves moves by CSS transition. Text only ever becomes a text node: no name, however
// it is written, can become markup. Styles go through the object model, because the page's policy allows no inline ones.

const SVG = "http://www.w3.org/2000/svg";
const AS_PROPERTY = { value: true, checked: true, selected: true, disabled: true };

export function h(tag, props, ...kids) {
  return { tag: tag, props: props || {}, kids: flat(kids, []), key: props && props.key !== undefined ? String(props.key) : null };
}

function flat(kids, out) {
  kids.forEach((kid) => {
    if (Array.isArray(kid)) flat(kid, out);
    else if (kid !== null && kid !== undefined && kid !== false && kid !== true) out.push(kid);
  });
  return out;
}

function isText(kid) {
  return typeof kid === "string" || typeof kid === "number";
}

// What waits until the whole tree stands in the page: a field takes the focus only there.
const unborn = [];
let depth = 0;

// Make the children of `host` equal to `kids`.
export function patch(host, kids) {
  depth += 1;
  const wanted = flat([kids], []);
  const keyed = {};
  const free = [];
  for (let node = host.firstChild; node; node = node.nextSibling) {
    if (node.__key) keyed[node.__key] = node;
    else free.push(node);
  }
  const nodes = wanted.map((kid) => match(host, kid, keyed, free));
  const kept = new Set(nodes);
  Array.from(host.childNodes).forEach((node) => {
    if (!kept.has(node)) leave(host, node);
  });
  nodes.forEach((node, i) => {
    if (host.childNodes[i] !== node) host.insertBefore(node, host.childNodes[i] || null);
  });
  depth -= 1;
  while (depth === 0 && unborn.length) unborn.shift()();
}

function leave(host, node) {
  host.removeChild(node);
}

function match(host, kid, keyed, free) {
  if (isText(kid)) {
    const i = free.findIndex((n) => n.nodeType === 3);
    const node = i >= 0 ? free.splice(i, 1)[0] : document.createTextNode("");
    if (node.data !== String(kid)) node.data = String(kid);
    return node;
  }
  let node = null;
  if (kid.key !== null) {
    node = keyed[kid.key];
    if (node && node.__tag !== kid.tag) node = null;
  } else {
    const i = free.findIndex((n) => n.__tag === kid.tag);
    if (i >= 0) node = free.splice(i, 1)[0];
  }
  const fresh = !node;
  if (fresh) node = create(host, kid);
  dress(node, kid.props, fresh);
  patch(node, kid.kids);
  if (fresh && kid.props.born) unborn.push(() => kid.props.born(node));
  return node;
}

function create(host, kid) {
  const inSvg = kid.tag === "svg" || (host.namespaceURI === SVG && host.__tag !== "foreignObject");
  const node = inSvg ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
  node.__tag = kid.tag;
  node.__key = kid.key;
  node.__props = {};
  node.__on = {};
  return node;
}

function dress(node, props, fresh) {
  const old = node.__props;
  Object.keys(old).forEach((name) => {
    if (!(name in props)) set(node, name, null, old[name]);
  });
  Object.keys(props).forEach((name) => {
    if (fresh || props[name] !== old[name] || name === "style" || name === "on") set(node, name, props[name], old[name]);
  });
  node.__props = props;
}

function set(node, name, value, before) {
  if (name === "key" || name === "born") return;
  if (name === "on") {
    listen(node, value || {});
    return;
  }
  if (name === "style") {
    style(node, value || {}, before || {});
    return;
  }
  if (AS_PROPERTY[name]) {
    if (node[name] !== value) node[name] = value === null ? "" : value;
    return;
  }
  if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

function style(node, value, before) {
  Object.keys(before).forEach((k) => {
    if (!(k in value)) node.style.removeProperty(k);
  });
  Object.keys(value).forEach((k) => {
    if (before[k] !== value[k]) node.style.setProperty(k, value[k]);
  });
}

function listen(node, handlers) {
  Object.keys(handlers).forEach((type) => {
    if (!(type in node.__on)) {
      node.addEventListener(
        type,
        (event) => {
          const act = node.__on[type];
          if (act) return act(event, node);
          return undefined;
        },
        type.indexOf("touch") === 0 ? { passive: false } : false
      );
    }
  });
  Object.keys(node.__on).forEach((type) => {
    if (!(type in handlers)) node.__on[type] = null;
  });
  Object.keys(handlers).forEach((type) => {
    node.__on[type] = handlers[type];
  });
}
