/** A number in a sentence: three digits, or all those before the point, with commas between thousands. */
export function figure(value: number): string {
  if (value < 1000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
