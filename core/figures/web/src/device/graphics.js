// The choice of the graphics card in the app, a script of its own: it is fetched only where the browser has WebGPU.
/** @import { Device, Engine as Model } from "./device.js" */
/** @import { Engine } from "../engine/engine.js" */
import { Graphics, isThere } from "../engine/graphics.js";
import { graphicsChoice } from "../engine/graphicschoice.js";

/**
 * The control of a graphics card; null where there is none to choose.
 * @param {Device} device @param {{ memory: number, graphics: number }} model gigabytes that it needs, and the bytes of the second run-time
 * @param {object} of
 * @param {() => Engine | null} of.running the engine that has started last
 * @param {(engine: Engine) => Model} of.asked an engine as a device asks it
 * @param {{ get: () => string | null, set: (value: string) => void }} of.chosen what the visitor chose last
 */
export async function choiceOf(device, { memory, graphics: size }, { running, asked, chosen }) {
  if (!(await isThere(navigator, memory))) return null;
  const there = async () => running() ?? Promise.reject(new Error("no model runs"));
  const graphics = new Graphics({
    ask: (question) => device.alone(async () => question(await there())),
    open: async () => (await there()).onGraphics(),
    use: (engine) => device.use(asked(engine)),
    back: () => device.again(),
    memory: { get: () => chosen.get() === "on", set: (is) => chosen.set(is ? "on" : "off") },
  });
  const { node, show } = graphicsChoice(graphics, size), showNow = () => show(device.isOn);
  const began = () => {
    showNow();
    if (device.isOn) graphics.resume();
  };
  device.graphics = graphics;
  graphics.heard.add(showNow);
  device.heard.add(began);
  began();
  return node;
}
