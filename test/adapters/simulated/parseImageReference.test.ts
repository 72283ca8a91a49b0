import { assert, property, string } from '../../support/seededFastCheck.ts';
import { describe, expect, test } from 'vitest';
import { parseImageReference } from '../../../lambdas/adapters/simulated/parseImageReference.ts';
import { parseDuration } from '../../../lambdas/adapters/simulated/parseDuration.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('an image name', () => {
  test.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['bitnami/nginx', 'docker.io/bitnami/nginx:latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['localhost/app:dev', 'localhost/app:dev'],
    ['localhost:5000/app', 'localhost:5000/app:latest'],
    ['registry.k8s.io/pause:3.9', 'registry.k8s.io/pause:3.9'],
    [`nginx@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
    [`nginx:1.27@${DIGEST}`, `docker.io/library/nginx@${DIGEST}`],
    ['a/b__c/d-e.f', 'docker.io/a/b__c/d-e.f:latest'],
  ])('%s is %s', (image, canonical) => {
    expect(parseImageReference(image)).toMatchObject({ canonical });
  });

  test.each([
    ['', 'invalid reference format'],
    ['nginx:', 'invalid reference format'],
    [':latest', 'invalid reference format'],
    ['nginx:bad tag', 'invalid reference format'],
    ['a//b', 'invalid reference format'],
    ['-nginx', 'invalid reference format'],
    ['nginx@sha256:abc', 'invalid reference format'],
    ['https://example.com/app', 'invalid reference format'],
    ['Nginx', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
    ['example.com/App', 'invalid reference format: repository name (App) must be lowercase'],
    ['a'.repeat(256), 'repository name must not be more than 255 characters'],
  ])('%j is refused: %s', (image, error) => {
    expect(parseImageReference(image)).toEqual({ error });
  });

  test('is resolved or refused, whatever its form', () => {
    assert(property(string(), (image) => Object.keys(parseImageReference(image)).length > 0));
  });
});

describe('a duration', () => {
  test.each([
    ['0', 0],
    ['5s', 5000],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['250ms', 250],
    ['', undefined],
    ['5', undefined],
    ['-5s', undefined],
    ['5 s', undefined],
    ['five seconds', undefined],
    ['1d', undefined],
  ])('%j is %j', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});
