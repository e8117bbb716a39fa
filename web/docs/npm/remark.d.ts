/** A remark plugin for MDX: an embed above each code block in the language "rollplay". */
export default function remarkRollplay(): (tree: unknown) => void;
