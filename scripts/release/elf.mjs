/** Section header: 64 bytes in 64-bit ELF. */
const SECTION = 64;
/** The section occupies memory while the program runs. */
const SHF_ALLOC = 2n;

/**
 * Removes symbols and debug information, a seventh of Node's bytes, from a 64-bit little-endian ELF executable. They
 * follow everything that is loaded, so the rest of the file stays where it is.
 *
 * @see {@link https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html | System V ABI, section headers}
 */
export function stripped(elf) {
  const sections = sectionsOf(elf);
  const kept = sections.slice(0, sections.findLastIndex(({ flags }) => flags & SHF_ALLOC) + 1);
  const last = kept.at(-1);
  const end = last.at + last.size;
  const names = sections.at(elf.readUInt16LE(0x3e));
  const table = Buffer.alloc((kept.length + 1) * SECTION);
  kept.forEach(({ header }, index) => header.copy(table, index * SECTION));
  names.header.copy(table, kept.length * SECTION);
  table.writeBigUInt64LE(BigInt(end), kept.length * SECTION + 0x18);
  const tableAt = Math.ceil((end + names.size) / 8) * 8;
  const result = Buffer.alloc(tableAt + table.length);
  elf.copy(result, 0, 0, end);
  elf.copy(result, end, names.at, names.at + names.size);
  table.copy(result, tableAt);
  result.writeBigUInt64LE(BigInt(tableAt), 0x28);
  result.writeUInt16LE(kept.length + 1, 0x3c);
  result.writeUInt16LE(kept.length, 0x3e);
  return result;
}

function sectionsOf(elf) {
  if (elf.readUInt32BE(0) !== 0x7f454c46 || elf.readUInt16BE(4) !== 0x0201) {
    throw new Error('This is not a 64-bit little-endian ELF file');
  }
  const start = Number(elf.readBigUInt64LE(0x28));
  return Array.from({ length: elf.readUInt16LE(0x3c) }, (_, index) => {
    const header = elf.subarray(start + index * SECTION, start + (index + 1) * SECTION);
    const isEmpty = header.readUInt32LE(4) === 8;
    return {
      header,
      flags: header.readBigUInt64LE(8),
      at: Number(header.readBigUInt64LE(0x18)),
      size: isEmpty ? 0 : Number(header.readBigUInt64LE(0x20)),
    };
  });
}
