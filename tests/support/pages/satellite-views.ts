/** The companion site, which is no page of the framework's. */
import * as visits from './site-visits.ts';
import type { PageViews } from './view.ts';

export const SATELLITE = 'satellite/';

const path = '/satellite/';
// What the board tells comes in by script alone; without it the page says where the same stands.
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
