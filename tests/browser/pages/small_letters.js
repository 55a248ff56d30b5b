([least, within]) => { // texts on the screen with smaller letters, as they stand there: in shadows, in SVG, scaled
  const found = [];
  const shown = (one) => {
    for (let at = one; at; at = at.parentElement ?? at.getRootNode().host) {
      const style = getComputedStyle(at);
      if (style.display === "none" || style.visibility === "hidden" || Number(style.opacity) === 0) return false;
      if (style.clipPath === "inset(50%)") return false;
      const r = at.getBoundingClientRect();
      if (style.overflow !== "visible" && (r.width <= 1 || r.height <= 1)) return false;
    }
    return true;
  };
  const walk = (root) => {
    const nodes = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = nodes.currentNode; node; node = nodes.nextNode()) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (node.nodeType !== 3 || !node.data.trim()) continue;
      const one = node.parentElement;
      if (!one || ["STYLE", "SCRIPT", "NOSCRIPT", "TITLE"].includes(one.tagName.toUpperCase())) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (!box.width || !box.height || !shown(one)) continue;
      const svg = one instanceof SVGElement ? one.getScreenCTM?.() : null;
      const wide = one.getBoundingClientRect().width, own = one.offsetWidth; // the latter in whole pixels
      const scale = svg ? Math.hypot(svg.c, svg.d) : own && Math.abs(wide - own) > 1 ? wide / own : 1;
      const size = parseFloat(getComputedStyle(one).fontSize) * scale;
      if (size < least - 0.05) found.push(`${size.toFixed(1)} ${one.tagName}.${one.getAttribute("class") ?? ""} ${node.data.trim().slice(0, 40)}`);
    }
  };
  walk(document.querySelector(within));
  return found;
}
