"""Word vectors in two or three dimensions: trajectories, PCA, t-SNE and UMAP."""
