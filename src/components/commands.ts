/** What an operator and a keeper type. */

/** Gets the board's own copy of the command and enrols the machine. */
export function enrollCommands(baseUrl: string, code = 'CODE'): string[] {
  return [
    `curl -fsSLO ${baseUrl}/opbench.mjs`,
    `node opbench.mjs enroll ${code} --board ${baseUrl}`,
  ];
}

export const submitCommands: readonly string[] = [
  'node opbench.mjs submit --dry-run',
  'node opbench.mjs submit',
];

/** Typed in the folder that the board runs from. */
export const loginLinkCommands = {
  known: 'npm run -s board -- login-link CODENAME',
  fresh: 'npm run -s board -- login-link --new CODENAME',
} as const;
