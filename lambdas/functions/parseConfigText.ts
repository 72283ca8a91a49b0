import { type Config, ConfigError, parseConfig } from './parseConfig.ts';

/** A Config out of its JSON, as the environment holds it. Throws a ConfigError. */
export function parseConfigText(text: string): Config {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ConfigError('', `must be JSON, not ${text.slice(0, 100)}`);
  }
  return parseConfig(value);
}
