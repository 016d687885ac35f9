/** Three significant digits are enough for people; whole numbers keep all. */
export function valueText(value: number | null): string {
  if (value === null) return 'undefined';
  const digits = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return FORMAT.format(digits);
}

const FORMAT = new Intl.NumberFormat('en', { maximumSignificantDigits: 16 });
