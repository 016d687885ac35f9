/** The hexadecimal digits of a message of Protocol Buffers: numbers, and the digits of texts or messages, by field. */
export function digitsOf(
  fields: readonly (readonly [field: number, value: number | string])[],
): string {
  return fields
    .map(([field, value]) => {
      if (typeof value === 'number') return varint(field * 8) + varint(value);
      return varint(field * 8 + 2) + varint(value.length / 2) + value;
    })
    .join('');
}

/** The digits of a text. */
export function textDigits(text: string): string {
  return Buffer.from(text).toString('hex');
}

function varint(value: number): string {
  const more = Math.floor(value / 128);
  const byte = (value % 128) + (more > 0 ? 128 : 0);
  return byte.toString(16).padStart(2, '0') + (more > 0 ? varint(more) : '');
}
