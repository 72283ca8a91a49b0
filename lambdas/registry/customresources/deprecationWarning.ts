import { compareVersions, stabilityOf } from '../versions/versionPriority.ts';
import { type CustomResourceDefinition, type DefinitionVersion, versionsOf } from './CustomResourceDefinition.ts';

/** Returns the warning for requests in a deprecated version: its own, or one that names the newest version that is at least as stable. `undefined` for other versions. Pure. */
export function deprecationWarning(
  definition: CustomResourceDefinition,
  { name, deprecated, deprecationWarning: own }: DefinitionVersion,
): string | undefined {
  if (deprecated !== true) return undefined;
  if (own !== undefined) return own;
  const { group, names } = definition.spec;
  const [better] = versionsOf(definition)
    .filter((one) => one.served && one.deprecated !== true && stabilityOf(one.name) >= stabilityOf(name))
    .map((one) => one.name)
    .sort(compareVersions);
  const subject = `${group}/${name} ${names.kind} is deprecated`;
  return better === undefined ? subject : `${subject}; use ${group}/${better} ${names.kind}`;
}
