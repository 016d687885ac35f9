/** What is wrong with a device's key, as a client sees it. */
export const KEY_PROBLEMS = {
  key_known: {
    status: 409,
    title: 'The key is already enrolled',
    hint: 'A key belongs to one account for ever, and once only. Enroll again: opbench then makes a new key.',
  },
  key_revoked: {
    status: 403,
    title: 'The key was revoked',
    hint: 'Enroll the device again with a new code from the settings.',
  },
  key_unknown: {
    status: 422,
    title: 'No device is enrolled with this key',
    hint: 'Enroll the device first, with a code from the settings.',
  },
} as const;
