import { compilePattern, PatternError } from '../../../lambdas/registry/apiextensions/values/patterns.ts';
import type { ImagePattern } from '../PodBehaviour.ts';

/** Each character of an image may meet each instruction of the pattern: with both limits, one image takes milliseconds at most. */
const MAX_INSTRUCTIONS = 1_000;
/** No image with a longer name can be pulled. */
const MAX_IMAGE_CHARACTERS = 512;

/** Compiles a pattern that came from a client, in RE2's syntax: whatever it says, it takes time linear in the image. Throws a SyntaxError in Go's words. */
export function compileImagePattern(pattern: string): ImagePattern {
  const compiled = compilePattern(pattern);
  if (compiled instanceof PatternError) throw new SyntaxError(compiled.message);
  if (compiled.programSize() > MAX_INSTRUCTIONS) throw new SyntaxError('error parsing regexp: expression too large');
  return {
    pattern,
    matches: (image) => image.length <= MAX_IMAGE_CHARACTERS && compiled.matcher(image).find(),
  };
}
