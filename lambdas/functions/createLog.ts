import { Logger } from '@aws-lambda-powertools/logger';

/** Writes one line. `msg` says what happened, and `level` (by default `info`) how bad it is. */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Creates a log of structured lines for CloudWatch Logs. Powertools reads the service name and the level from the environment. */
export function createLog(logger: Pick<Logger, (typeof LEVELS)[number]> = new Logger()): Log {
  return ({ level, msg, ...rest }) => {
    const known = LEVELS.find((one) => one === level) ?? 'info';
    logger[known](String(msg), rest);
  };
}
