// As the pictures' own modules are checked; these run in Node.
import globals from "../../../core/figures/web/node_modules/globals/index.js";
import rules from "../../../core/figures/web/eslint.config.js";

export default [...rules, { languageOptions: { globals: globals.node } }];
