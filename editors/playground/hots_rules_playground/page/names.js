// Names of files: below the folder, never above it.
export const NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}_ .()-]*(\/[\p{L}\p{N}_-][\p{L}\p{N}_ .()-]*)*$/u;
