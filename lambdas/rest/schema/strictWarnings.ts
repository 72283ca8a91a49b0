/** What a YAML decoder writes before the list of its errors, one a line. */
const YAML_ERRORS = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** The warnings for what a strict decoder would refuse: each error of a YAML decoder is a warning of its own. */
export function strictWarnings(strictErrors: readonly string[]): string[] {
  return strictErrors.flatMap((error) =>
    YAML_ERRORS.test(error)
      ? error
          .split('\n')
          .slice(1)
          .map((line) => line.trim())
      : [error],
  );
}
