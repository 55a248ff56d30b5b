() => { // what is wrong with the place of the picture's texts: one on another, cut off, or below the bar
  const found = [], texts = [];
  const walk = (root, clips) => {
    for (const node of root.childNodes) {
      if (node.nodeType === 3 && node.data.trim()) {
        const one = node.parentElement, style = getComputedStyle(one);
        if (style.visibility === "hidden" || Number(style.opacity) === 0) continue;
        const svg = one instanceof SVGElement ? one.getScreenCTM() : null;
        const turned = svg ? Math.abs(svg.b) > 1e-3 : false; // a slanted name: its box is larger than its letters
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
          if (box.width < 2 || box.height < 2) continue;
          if (clips.some((clip) => clip.width <= 1 || clip.height <= 1)) continue;
          texts.push({ text: node.data.trim().slice(0, 40), box, clips, turned });
        }
      } else if (node.nodeType === 1 && !["STYLE", "SCRIPT", "OPTION"].includes(node.tagName.toUpperCase())) {
        const style = getComputedStyle(node);
        if (style.display === "none" || style.clipPath === "inset(50%)") continue;
        const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
        const cuts = style.overflowX !== "visible" && style.display !== "inline";
        const own = cuts ? [...clips, Object.assign(node.getBoundingClientRect(), { scrolls })] : clips;
        walk(node.shadowRoot ?? node, own);
      }
    }
  };
  const shown = document.querySelector("[data-presented]");
  if (!shown) return ["nothing is shown"];
  walk(shown, []);
  const bar = document.querySelector(".polysee-presenter:not(.offer)").getBoundingClientRect();
  for (const { text, box, clips, turned } of texts) {
    const inset = 0.2 * box.height; // a line is higher than its letters
    if (clips.some((clip) => clip.scrolls)) continue; // in a list that scrolls
    if (box.bottom - inset > bar.top) found.push(`below the bar: ${text}`);
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`beyond the screen: ${text}`);
    if (!turned && clips.some((clip) => box.bottom - inset > clip.bottom + 1 || box.top + inset < clip.top - 1
      || box.right > clip.right + 3 || box.left < clip.left - 3)) found.push(`cut off: ${text}`);
  }
  const level = texts.filter(({ turned, clips }) => !turned && !clips.some((clip) => clip.scrolls));
  level.forEach((a, i) => {
    for (const b of level.slice(i + 1)) {
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (across > 0 && down > 0.35 * Math.min(a.box.height, b.box.height)) found.push(`on each other: ${a.text} | ${b.text}`);
    }
  });
  return found;
}
