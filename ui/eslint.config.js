// The scripts of the app's own parts follow the rules of the pictures'.
export { default } from "../core/figures/web/eslint.config.js";
