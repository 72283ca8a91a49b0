import { describe, expect, it } from 'vitest';
import {
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isEnvironmentVariableName,
  isHttpHeaderName,
  isQualifiedName,
  isValidLabelValue,
  isValidPortName,
} from '../../lambdas/objects/nameFormats.ts';

const SUBDOMAIN =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

// Rows follow apimachinery's util/validation.
describe('name formats', () => {
  it.each<[string, (value: string) => string[], string, string[]]>([
    ['a label', isDns1123Label, 'web-1', []],
    ['a label with a dot', isDns1123Label, 'a.b', ['must not contain dots']],
    ['a subdomain', isDns1123Subdomain, 'a.b-c.d', []],
    ['a subdomain with two dots', isDns1123Subdomain, 'a..b', [SUBDOMAIN]],
    ['a service name that begins with a digit', isDns1035Label, 'a1', []],
    ['a key', isQualifiedName, 'app', []],
    ['a key with a domain', isQualifiedName, 'example.com/App_1', []],
    ['an empty key', isQualifiedName, '', ['name part must be non-empty', `name part ${QUALIFIED}`]],
    ['an empty domain', isQualifiedName, '/app', ['prefix part must be non-empty']],
    ['a wrong domain', isQualifiedName, 'Example/app', [`prefix part ${SUBDOMAIN}`]],
    [
      'two slashes',
      isQualifiedName,
      'a/b/c',
      [`a qualified name ${QUALIFIED} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    ['an empty value', isValidLabelValue, '', []],
    ['a value of 64', isValidLabelValue, 'a'.repeat(64), ['must be no more than 63 characters']],
    ['a line end after a value', isDns1123Subdomain, 'web\n', [SUBDOMAIN]],
    ['a key of a config map', isConfigMapKey, 'app.yaml', []],
    ['the directory above', isConfigMapKey, '..', ["must not be '..'"]],
    ['a name that begins like it', isConfigMapKey, '..a', ["must not start with '..'"]],
    ['a variable of printable characters', isEnvironmentVariableName, '1 + 1', []],
    ['a header', isHttpHeaderName, 'X-Header', []],
    ['a port', isValidPortName, 'http-2', []],
    [
      'a port of dashes',
      isValidPortName,
      'a--b-',
      ['must not contain consecutive hyphens', 'must not begin or end with a hyphen'],
    ],
  ])('give the errors of apimachinery for %s', (_, check, value, expected) => {
    expect(check(value)).toEqual(expected);
  });
});
