import { expect, test } from 'vitest';
import { textWithoutManagedFields } from '../../../lambdas/rest/audit/withoutManagedFields.ts';

test.each(['__proto__', '__defineGetter__', 'toString'])('a text without managed fields keeps a member %s', (name) => {
  const object = JSON.parse(`{"${name}": "a", "metadata": {"managedFields": [], "name": "one"}}`) as object;
  expect(textWithoutManagedFields(JSON.stringify(object))).toBe(`{"${name}":"a","metadata":{"name":"one"}}`);
});
