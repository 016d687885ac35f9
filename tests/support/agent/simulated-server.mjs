/** Preloaded into a server: a clock that is set by a file, which the date of every answer tells, too. */
import { ServerResponse } from 'node:http';
import '../http/set-clock.mjs';

const { writeHead } = ServerResponse.prototype;

ServerResponse.prototype.writeHead = function writeDated(...parts) {
  this.setHeader('Date', new Date().toUTCString());
  return writeHead.apply(this, parts);
};
