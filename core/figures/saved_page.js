// The sliders of a series: they replace the numbers of the existing pictures.
(() => {
  "use strict";
  const bytesOf = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  for (const series of document.querySelectorAll(".series")) {
    const sets = JSON.parse(series.querySelector(":scope > script").textContent);
    const hosts = [...series.querySelectorAll("[data-polysee]")];
    const sliders = [...series.querySelectorAll("input")];
    const show = () => {
      let at = 0;
      for (const slider of sliders) {
        const steps = JSON.parse(slider.dataset.steps);
        slider.nextElementSibling.textContent = steps[slider.value];
        slider.setAttribute("aria-valuetext", steps[slider.value]);
        at = at * steps.length + Number(slider.value);
      }
      sets[at].forEach((text, i) =>
        globalThis.polysee[hosts[i].dataset.polysee](hosts[i], bytesOf(text ?? hosts[i].dataset.bytes), () => {}));
    };
    for (const slider of sliders) slider.addEventListener("input", show);
    show();
  }
})();
