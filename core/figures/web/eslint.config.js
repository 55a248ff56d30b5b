import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["dist/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2025, globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "no-shadow": "error",
      "no-implicit-globals": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-properties": [
        "error",
        ...["innerHTML", "outerHTML", "insertAdjacentHTML"].map((property) => ({
          property, message: "What a visitor typed must stay text: make elements." })),
      ],
    },
  },
  { files: ["build.js", "embedded.js", "module.js", "reduced.js", "states.js", "eslint.config.js"], languageOptions: { globals: globals.node } },
];
