/** The first bytes of an executable that {@linkcode platformOf} reads. */
export const HEAD_BYTES = 20;

/** A 64-bit, little-endian ELF file. */
const ELF64 = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const MACHINE_AT = 18;
/** Values of `e_machine`. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'linux-x64', 183: 'linux-arm64' };

/**
 * The platform for which an executable was built; null if it is another kind of file.
 *
 * @see {@link https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html | System V ABI, ELF header}
 */
export function platformOf(head: Buffer): string | null {
  if (head.length < HEAD_BYTES || !head.subarray(0, ELF64.length).equals(ELF64)) return null;
  return MACHINES[head.readUInt16LE(MACHINE_AT)] ?? null;
}
