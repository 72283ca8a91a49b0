/** What a report must not have, and what stands there instead. The order matters: an ARN has an account's number in it, and an address a host. Each also as it is written in the query of a URL. */
const SECRETS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/arn(?::|%3A)aws[\w-]*(?::|%3A)(?:[^\s"'`,;)\]}]|,(?=\w))+/gi, '<arn>'],
  [/\b[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+\b/g, '<address>'],
  [/\bk8s-aws-v1\.[\w-]+/g, '<token>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<token>'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '<key>'],
  [/\b([a-z][a-z0-9+.-]*):\/\/[^\s/"'`<>?#]+/gi, '$1://<host>'],
  [/\b[\w-]+(?:\.[\w-]+)*\.(?:amazonaws\.com(?:\.cn)?|on\.aws|api\.aws|awsapps\.com)(?::\d+)?/gi, '<host>'],
  [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?![\w.]*\w)/g, '<ip>'],
  [/(?<![\w:.])\[?(?=[0-9a-f:]*::|(?:[0-9a-f]{1,4}:){7})[0-9a-f:]{3,39}\]?(?![\w:])/gi, '<ip>'],
  [/\b(?:vpc|vpce|subnet|eni|sg|i|rtb|nat|igw)-[0-9a-f]{8,17}\b/g, '<id>'],
  [/\b(User|user) "[^"]*"/g, '$1 "<user>"'],
  [/(?<!\d)\d{12}(?!\d)/g, '<account>'],
];

/** Takes out of a text what says whose account it is and where, and what would let somebody in. `names`: what else says that in this run, such as the host of a domain. Pure. */
export function redact(text: string, names: readonly string[] = []): string {
  const longestFirst = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length);
  const named = longestFirst.reduce((rest, name) => rest.replaceAll(new RegExp(escaped(name), 'gi'), '<host>'), text);
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), named);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
