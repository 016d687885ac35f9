/** Preloaded into a server: sets its clock from a file, including the date of every response. */
import { ServerResponse } from 'node:http';
import '../http/set-clock.mjs';

const { writeHead } = ServerResponse.prototype;

ServerResponse.prototype.writeHead = function writeDated(...parts) {
  this.setHeader('Date', new Date().toUTCString());
  return writeHead.apply(this, parts);
};
