//! The shape of the red-black tree that the kernel builds of a table.

/// No child.
const NONE: u16 = u16::MAX;

/// The tree after nodes 0, 1, 2 ... were inserted in ascending order, as every version with a tree does when
/// its module loads. A number is a node's place in the table and its rank in the tree.
///
/// A new node then always hangs to the right of the last one, so that of the cases of a red-black insertion only two
/// occur: a red uncle is recoloured, a black or missing one means one rotation to the left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree {
    root: u16,
    left: Vec<u16>,
    right: Vec<u16>,
}

impl Tree {
    pub(super) fn ascending(nodes: usize) -> Self {
        let mut tree = Self { root: NONE, left: vec![NONE; nodes], right: vec![NONE; nodes] };
        let mut red = vec![true; nodes];
        for node in 0..nodes as u16 {
            let mut spine = tree.right_spine();
            match spine.last() {
                None => tree.root = node,
                Some(&last) => tree.right[usize::from(last)] = node,
            }
            spine.push(node);
            tree.rebalance(&spine, &mut red);
            red[usize::from(tree.root)] = false;
        }
        tree
    }

    fn right_spine(&self) -> Vec<u16> {
        std::iter::successors(self.valid(self.root), |&node| self.right(node)).collect()
    }

    /// Repairs two red nodes in a row, from the end of the right spine up.
    fn rebalance(&mut self, spine: &[u16], red: &mut [bool]) {
        let mut node = spine.len() - 1;
        while node >= 2 && red[usize::from(spine[node - 1])] {
            let [grand, parent] = [spine[node - 2], spine[node - 1]].map(usize::from);
            let uncle = self.left[grand];
            (red[grand], red[parent]) = (true, false);
            if self.valid(uncle).is_some_and(|uncle| red[usize::from(uncle)]) {
                red[usize::from(uncle)] = false;
                node -= 2;
                continue;
            }
            self.right[grand] = std::mem::replace(&mut self.left[parent], grand as u16);
            match node.checked_sub(3) {
                Some(above) => self.right[usize::from(spine[above])] = parent as u16,
                None => self.root = parent as u16,
            }
            return;
        }
    }

    const fn valid(&self, node: u16) -> Option<u16> {
        if node == NONE { None } else { Some(node) }
    }

    pub(super) const fn root(&self) -> Option<u16> {
        self.valid(self.root)
    }

    pub(super) fn left(&self, node: u16) -> Option<u16> {
        self.left.get(usize::from(node)).and_then(|&child| self.valid(child))
    }

    pub(super) fn right(&self, node: u16) -> Option<u16> {
        self.right.get(usize::from(node)).and_then(|&child| self.valid(child))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order(tree: &Tree, node: Option<u16>, depth: usize, seen: &mut Vec<(u16, usize)>) {
        if let Some(node) = node {
            in_order(tree, tree.left(node), depth + 1, seen);
            seen.push((node, depth));
            in_order(tree, tree.right(node), depth + 1, seen);
        }
    }

    #[test]
    fn every_node_is_in_order_and_paths_are_short() {
        for nodes in 0..100usize {
            let tree = Tree::ascending(nodes);
            let mut seen = Vec::new();
            in_order(&tree, tree.root(), 1, &mut seen);
            assert!(seen.iter().map(|&(node, _)| usize::from(node)).eq(0..nodes));
            let deepest = seen.iter().map(|&(_, depth)| depth).max().unwrap_or(0);
            assert!(deepest as f64 <= 2.0 * ((nodes + 1) as f64).log2(), "{nodes} nodes, {deepest} deep");
        }
    }

    #[test]
    fn depths_are_those_of_a_textbook_tree() {
        // From an insertion written for any order of keys.
        for (nodes, root, depths) in [
            (10, 3, "3231324345"),
            (29, 7, "43424341545354525453656465767"),
            (37, 7, "4342434154535452656465636564767576878"),
            (61, 15, "5453545254535451656465636564656265646563767576747675878687989"),
        ] {
            let tree = Tree::ascending(nodes);
            assert_eq!(tree.root(), Some(root));
            let mut seen = Vec::new();
            in_order(&tree, tree.root(), 1, &mut seen);
            assert_eq!(seen.iter().map(|(_, depth)| depth.to_string()).collect::<String>(), depths);
        }
    }
}
