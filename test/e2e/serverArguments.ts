/** Which composition a run drives: the embedded one, or the cloud's own functions (`DRIFTLESS_E2E_ARGS=--emulate-cloud`). */
export const SERVER_ARGUMENTS = (process.env['DRIFTLESS_E2E_ARGS'] ?? '--ephemeral').split(' ');

/** The same, with objects that outlive the process. */
export const DURABLE_ARGUMENTS = SERVER_ARGUMENTS.filter((argument) => argument !== '--ephemeral');
