/** What an e-mail address is recognised by, by who has it: `a•••@example.org`. */
export function maskedAddress(local: string, domain: string): string {
  return `${local.slice(0, 1)}•••@${domain}`;
}
