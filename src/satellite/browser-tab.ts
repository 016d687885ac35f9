import type { Tab } from './sign-in.ts';

/** The tab that the page stands in. */
export const browserTab: Tab = {
  address: () => new URL(location.href),
  rename: (address) => history.replaceState(null, '', address),
  leave: (address) => location.assign(address),
  // Browsers that were told to keep nothing refuse even to name it.
  storage: () => sessionStorage,
  fetch: (address, init) => fetch(address, init),
};
