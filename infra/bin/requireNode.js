/**
 * Ends the process with one line if Node is older than what the code needs. A program imports it alone and first, and everything else by `import()` after it: an older Node ends with an error of its own while it links what it
 * does not know, before any of it runs.
 */
const OLDEST = 20;
const { node } = process.versions;

if (Number.parseInt(node, 10) < OLDEST) {
  process.stderr.write(`driftless: this is Node ${node}, and driftless needs Node ${OLDEST} or later\n`);
  process.exit(2);
}
