/** The companion site, which is not rendered by the framework. */
import * as visits from './site-visits.ts';
import type { PageViews } from './view.ts';

export const SATELLITE = 'satellite/';

const path = '/satellite/';
// The board's data is loaded by script only. Without scripts, the page links to the same data.
const act = visits.seePeers;

export const SATELLITE_VIEWS: PageViews = {
  [SATELLITE]: () => [
    { path, name: 'satellite', as: 'identified', act },
    { path, name: 'satellite-not-ranked', as: 'one-day', act },
    { path, name: 'satellite-anonymous', as: 'anonymous', act },
    { path, name: 'satellite-private', as: 'private', act },
    { path, name: 'satellite-signed-out', act },
  ],
};
