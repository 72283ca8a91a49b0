import { describe, expect, it } from 'vitest';
import { compileImagePattern } from '../../../../infra/testCluster/controls/compileImagePattern.ts';

describe('the pattern of a PodBehaviour', () => {
  it.each([
    ['nginx', 'my/nginx:1', true],
    ['^nginx', 'my/nginx:1', false],
    ['(?i)^NGINX', 'nginx:1', true],
    ['bad$', 'web:bad', true],
  ])('%s finds a match in %s: %s', (pattern, image, matches) => {
    expect(compileImagePattern(pattern).matches(image)).toBe(matches);
  });

  it.each(['(a+)+$', '^(a|aa)+$', '(.*)*b', '(x+x+)+y'])('%s takes no longer on a hostile image', (pattern) => {
    const compiled = compileImagePattern(pattern);
    const beganMs = performance.now();
    compiled.matches(`${'ax'.repeat(20)}${'a'.repeat(400)}!`);
    // A pattern that backtracks takes longer than the age of the universe.
    expect(performance.now() - beganMs).toBeLessThan(2_000);
  });

  it('passes over an image that is too long to be pulled', () => {
    expect(compileImagePattern('a').matches('a'.repeat(513))).toBe(false);
  });

  it.each(['(.{0,1000})+x{500}', '(?:a{1000}){1000}', '('])('%s is refused', (pattern) => {
    expect(() => compileImagePattern(pattern)).toThrow(/^error parsing regexp: /);
  });
});
