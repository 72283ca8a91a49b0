/** The arguments of the server under test: embedded by default, or the cloud's functions with `DRIFTLESS_E2E_ARGS=--emulate-cloud`. */
export const SERVER_ARGUMENTS = (process.env['DRIFTLESS_E2E_ARGS'] ?? '--ephemeral').split(' ');

/** The same, but objects are kept after the process ends. */
export const DURABLE_ARGUMENTS = SERVER_ARGUMENTS.filter((argument) => argument !== '--ephemeral');

/** True under `npm run test:cloud`. */
export const isCloud = SERVER_ARGUMENTS.includes('--emulate-cloud');
