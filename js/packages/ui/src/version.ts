declare const __AC_VERSION__: string;

/** Version of the package that this bundle belongs to. */
export const VERSION: string = __AC_VERSION__;
