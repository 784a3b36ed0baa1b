import eslint from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "build.mjs", "workbench.mjs", "eslint.config.js"] },
  eslint.configs.recommended,
  tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // What a user wrote gets into a page as text only.
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  // The runner of Node waits for tests by itself.
  { files: ["tests/**"], rules: { "@typescript-eslint/no-floating-promises": "off" } },
);
