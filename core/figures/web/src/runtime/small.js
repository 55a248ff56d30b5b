import { decimal } from "./language.js";

/**
 * A small number in words that are as short as exact: 2.4e-6 as "2.4 × 10⁻⁶".
 * @param {number} value
 */
export function small(value) {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(1).split("e");
  const raised = [...String(Number(power))].map((sign) => (sign === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)])).join("");
  return `${decimal(digits)} × 10${raised}`;
}
