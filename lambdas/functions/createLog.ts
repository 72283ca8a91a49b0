import { Logger } from '@aws-lambda-powertools/logger';

/** One line of what happens: `msg` says what it is about, `level` (`info` unless given) how bad it is. */
export type Log = (line: Readonly<Record<string, unknown>>) => void;

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** Structured lines for CloudWatch Logs; service name and level come from the environment, as Powertools reads them. */
export function createLog(logger: Pick<Logger, (typeof LEVELS)[number]> = new Logger()): Log {
  return ({ level, msg, ...rest }) => {
    const known = LEVELS.find((one) => one === level) ?? 'info';
    logger[known](String(msg), rest);
  };
}
