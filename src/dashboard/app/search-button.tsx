import { Kbd } from "@mantine/core";
import { ICONS, Icon } from "./icon.tsx";

/** Opens the search; it looks like the field that it opens. */
export const SearchButton = ({ open }: { readonly open: () => void }) => (
  <button type="button" className="search-button" onClick={open}>
    <Icon path={ICONS.search} size={18} />
    <span>Symbol, page or question</span>
    <Kbd size="xs" aria-hidden="true">
      Ctrl K
    </Kbd>
  </button>
);
